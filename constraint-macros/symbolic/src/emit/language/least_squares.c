/* x, which is b, becomes the x of least sum of a_ii x_i^2 among those that bring A x nearest to b, as the Rust runtime finds it:
 * A, scaled to a diagonal of ones, is turned into a diagonal matrix by rotations, which `vectors` gathers. Column by column. */
double scale[ROWS];
double along[ROWS];
for (int i = 0; i < ROWS; i++) {
  scale[i] = 0.0;
  if (a[NEXT * i] > 0.0) { scale[i] = 1.0 / sqrt(a[NEXT * i]); }
}
for (int j = 0; j < ROWS; j++) {
  for (int i = 0; i < ROWS; i++) {
    a[ROWS * j + i] = a[ROWS * j + i] * scale[i] * scale[j];
    vectors[ROWS * j + i] = 0.0;
  }
  vectors[NEXT * j] = 1.0;
}
for (int sweep = 0; sweep < 40; sweep++) {
  double left = 0.0;
  for (int j = 0; j < ROWS; j++) {
    for (int i = 0; i < j; i++) {
      left += a[ROWS * j + i] * a[ROWS * j + i];
    }
  }
  if (left > LIMIT) {
    for (int p = 0; p < ROWS; p++) {
      for (int q = p + 1; q < ROWS; q++) {
        const double difference = a[NEXT * q] - a[NEXT * p];
        const double twice = 2.0 * a[ROWS * q + p];
        double length = sqrt(difference * difference + twice * twice);
        if (difference < 0.0) { length = -length; }
        const double divisor = difference + length;
        double tangent = 0.0;
        if (divisor != 0.0) { tangent = twice / divisor; }
        const double cosine = 1.0 / sqrt(1.0 + tangent * tangent);
        const double sine = tangent * cosine;
        for (int k = 0; k < ROWS; k++) {
          const double x0 = a[ROWS * p + k];
          const double x1 = a[ROWS * q + k];
          a[ROWS * p + k] = cosine * x0 - sine * x1;
          a[ROWS * q + k] = sine * x0 + cosine * x1;
          const double y0 = vectors[ROWS * p + k];
          const double y1 = vectors[ROWS * q + k];
          vectors[ROWS * p + k] = cosine * y0 - sine * y1;
          vectors[ROWS * q + k] = sine * y0 + cosine * y1;
        }
        for (int k = 0; k < ROWS; k++) {
          const double z0 = a[ROWS * k + p];
          const double z1 = a[ROWS * k + q];
          a[ROWS * k + p] = cosine * z0 - sine * z1;
          a[ROWS * k + q] = sine * z0 + cosine * z1;
        }
      }
    }
  }
}
double greatest = 0.0;
for (int i = 0; i < ROWS; i++) {
  if (a[NEXT * i] > greatest) { greatest = a[NEXT * i]; }
}
for (int i = 0; i < ROWS; i++) {
  along[i] = 0.0;
  if (a[NEXT * i] > greatest * ROOT) {
    for (int k = 0; k < ROWS; k++) {
      along[i] += vectors[ROWS * i + k] * (x[k] * scale[k]);
    }
    along[i] = along[i] / a[NEXT * i];
  }
}
for (int i = 0; i < ROWS; i++) {
  x[i] = 0.0;
  for (int k = 0; k < ROWS; k++) {
    x[i] += vectors[ROWS * k + i] * along[k];
  }
  x[i] = x[i] * scale[i];
}

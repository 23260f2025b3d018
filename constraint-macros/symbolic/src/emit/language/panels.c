/* A x = b by L D L^T in blocks of four by four, as the Rust runtime eliminates: x, which is b, becomes A^-1 b.
 * What stands in tables: by panel its rows, and the number of blocks below its diagonal; by block the panel that its
 * rows are of; by pair of blocks where their product goes, in blocks behind the panel's own. */
int begin = 0;
int block = 0;
int pair = 0;
double pivot[4];
double scaled[16];
for (int panel = 0; panel < PANELS; panel++) {
  places sizes = panels[panel];
  const int count = sizes[1];
  const int z = 4 * panel;
  const int rest = begin + 16 * (1 + count);
  for (int c = sizes[0]; c < 4; c++) {
    blocks[begin + 5 * c] = 1.0;
  }
  for (int c = 0; c < 4; c++) {
    const int line = begin + 4 * c;
    for (int b = 0; b < c; b++) {
      for (int a = 0; a < b; a++) {
        blocks[line + b] -= blocks[line + a] * blocks[begin + 4 * b + a];
      }
    }
    for (int b = 0; b < c; b++) {
      const double l = blocks[line + b] * blocks[begin + 5 * b];
      blocks[line + c] -= blocks[line + b] * l;
      blocks[line + b] = l;
    }
    pivot[c] = blocks[line + c];
    blocks[line + c] = 1.0 / blocks[line + c];
  }
  for (int c = 1; c < 4; c++) {
    for (int b = 0; b < c; b++) {
      x[z + c] -= blocks[begin + 4 * c + b] * x[z + b];
    }
  }
  for (int line = begin + 16; line < rest; line += 4) {
    for (int c = 1; c < 4; c++) {
      for (int b = 0; b < c; b++) {
        blocks[line + c] -= blocks[begin + 4 * c + b] * blocks[line + b];
      }
    }
    for (int c = 0; c < 4; c++) {
      blocks[line + c] *= blocks[begin + 5 * c];
    }
  }
  const double z0 = x[z];
  const double z1 = x[z + 1];
  const double z2 = x[z + 2];
  const double z3 = x[z + 3];
  for (int i = 0; i < count; i++) {
    places place = rows[block + i];
    const int to = 4 * place[0];
    for (int r = 0; r < 4; r++) {
      const int line = begin + 16 * (1 + i) + 4 * r;
      x[to + r] -= blocks[line] * z0 + blocks[line + 1] * z1 + blocks[line + 2] * z2 + blocks[line + 3] * z3;
    }
  }
  for (int column = 0; column < count; column++) {
    const int right = begin + 16 * (1 + column);
    for (int c = 0; c < 4; c++) {
      for (int j = 0; j < 4; j++) {
        scaled[4 * c + j] = blocks[right + 4 * j + c] * pivot[c];
      }
    }
    for (int i = column; i < count; i++) {
      places place = products[pair];
      const int to = rest + 16 * place[0];
      const int left = begin + 16 * (1 + i);
      pair++;
      for (int r = 0; r < 16; r += 4) {
        const double l0 = blocks[left + r];
        const double l1 = blocks[left + r + 1];
        const double l2 = blocks[left + r + 2];
        const double l3 = blocks[left + r + 3];
        for (int j = 0; j < 4; j++) {
          const int at = to + r + j;
          blocks[at] = blocks[at] - l0 * scaled[j] - l1 * scaled[4 + j] - l2 * scaled[8 + j] - l3 * scaled[12 + j];
        }
      }
    }
  }
  block += count;
  begin = rest;
}
for (int panel = PANELS - 1; panel >= 0; panel--) {
  places sizes = panels[panel];
  const int count = sizes[1];
  const int z = 4 * panel;
  begin -= 16 * (1 + count);
  block -= count;
  for (int c = 0; c < 4; c++) {
    x[z + c] *= blocks[begin + 5 * c];
    pivot[c] = 0.0;
  }
  for (int i = 0; i < count; i++) {
    places place = rows[block + i];
    const int later = 4 * place[0];
    const int line = begin + 16 * (1 + i);
    for (int c = 0; c < 4; c++) {
      x[z + c] -= blocks[line + c] * x[later] + blocks[line + 4 + c] * x[later + 1];
      pivot[c] += blocks[line + 8 + c] * x[later + 2] + blocks[line + 12 + c] * x[later + 3];
    }
  }
  for (int c = 0; c < 4; c++) {
    x[z + c] -= pivot[c];
  }
  for (int c = 3; c >= 0; c--) {
    for (int k = c + 1; k < 4; k++) {
      x[z + c] -= blocks[begin + 4 * k + c] * x[z + k];
    }
  }
}

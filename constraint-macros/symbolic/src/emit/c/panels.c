/* A x = b by L D L^T in blocks of four by four, as the Rust runtime eliminates: x, which is b, becomes A^-1 b. */
QUALIFIERS void ELIMINATE(NUMBER *blocks, NUMBER *x) {
  /* By panel its rows, and the number of blocks below its diagonal; by block the panel that its rows are of; by pair of
   * blocks where their product goes, in blocks behind the panel's own. */
TABLES
  NUMBER *own = blocks;
  int first = 0, target = 0;
  for (int panel = 0; panel < PANELS; panel++) {
    const int count = below[panel];
    NUMBER *z = x + 4 * panel, *rest = own + 16 * (1 + count), pivot[4];
    for (int c = size[panel]; c < 4; c++) own[5 * c] = ONE;
    for (int c = 0; c < 4; c++) {
      NUMBER *line = own + 4 * c;
      for (int b = 0; b < c; b++) {
        for (int a = 0; a < b; a++) line[b] -= line[a] * own[4 * b + a];
      }
      for (int b = 0; b < c; b++) {
        const NUMBER l = line[b] * own[5 * b];
        line[c] -= line[b] * l;
        line[b] = l;
      }
      pivot[c] = line[c];
      line[c] = ONE / line[c];
    }
    for (int c = 1; c < 4; c++) {
      for (int b = 0; b < c; b++) z[c] -= own[4 * c + b] * z[b];
    }
    for (NUMBER *line = own + 16; line < rest; line += 4) {
      for (int c = 1; c < 4; c++) {
        for (int b = 0; b < c; b++) line[c] -= own[4 * c + b] * line[b];
      }
      for (int c = 0; c < 4; c++) line[c] *= own[5 * c];
    }
    for (int i = 0; i < count; i++) {
      NUMBER *to = x + 4 * rows[first + i];
      for (int r = 0; r < 4; r++) {
        const NUMBER *line = own + 16 * (1 + i) + 4 * r;
        to[r] -= line[0] * z[0] + line[1] * z[1] + line[2] * z[2] + line[3] * z[3];
      }
    }
    for (int column = 0; column < count; column++) {
      const NUMBER *of = own + 16 * (1 + column);
      NUMBER scaled[4][4];
      for (int c = 0; c < 4; c++) {
        for (int j = 0; j < 4; j++) scaled[c][j] = of[4 * j + c] * pivot[c];
      }
      for (int i = column; i < count; i++) {
        NUMBER *to = rest + 16 * targets[target++];
        for (int r = 0; r < 4; r++) {
          const NUMBER *line = own + 16 * (1 + i) + 4 * r;
          for (int c = 0; c < 4; c++) {
            for (int j = 0; j < 4; j++) to[4 * r + j] -= line[c] * scaled[c][j];
          }
        }
      }
    }
    first += count;
    own = rest;
  }
  for (int panel = PANELS - 1; panel >= 0; panel--) {
    const int count = below[panel];
    NUMBER *z = x + 4 * panel, other[4] = { ZERO };
    own -= 16 * (1 + count);
    first -= count;
    for (int c = 0; c < 4; c++) z[c] *= own[5 * c];
    for (int i = 0; i < count; i++) {
      const NUMBER *block = own + 16 * (1 + i), *of = x + 4 * rows[first + i];
      for (int c = 0; c < 4; c++) {
        z[c] -= block[c] * of[0] + block[4 + c] * of[1];
        other[c] += block[8 + c] * of[2] + block[12 + c] * of[3];
      }
    }
    for (int c = 0; c < 4; c++) z[c] -= other[c];
    for (int c = 3; c >= 0; c--) {
      for (int k = c + 1; k < 4; k++) z[c] -= own[4 * k + c] * z[k];
    }
  }
}

// Unpacks the engine: bytes spelled with seven bits a character, compressed by LZMA.

/** Bytes of a text with seven bits a character. */
function bytesOf(text) {
  const bytes = new Uint8Array((text.length * 7) >> 3);
  for (let i = 0, at = 0, bits = 0, held = 0; i < text.length; i += 1) {
    bits = ((bits << 7) | (text.charCodeAt(i) & 127)) & 0x3fff;
    held += 7;
    if (held < 8) continue;
    held -= 8;
    bytes[at++] = bits >> held;
  }
  return bytes;
}

/** The decoder of LZMA: a binary range coder, whose adaptive probabilities are those of 0 in units of 1/2048. */
class RangeDecoder {
  constructor(bytes, at) {
    Object.assign(this, { bytes, at, range: 0xffffffff, code: 0 });
    for (let i = 0; i < 5; i++) this.shift();
  }

  shift() {
    this.code = ((this.code << 8) | this.bytes[this.at++]) >>> 0;
  }

  bit(chances, i) {
    const bound = (this.range >>> 11) * chances[i];
    const isOne = this.code >= bound;
    if (isOne) {
      this.range -= bound;
      this.code -= bound;
      chances[i] -= chances[i] >> 5;
    } else {
      this.range = bound;
      chances[i] += (2048 - chances[i]) >> 5;
    }
    this.refill();
    return isOne ? 1 : 0;
  }

  refill() {
    if (this.range >= 0x1000000) return;
    this.range = (this.range << 8) >>> 0;
    this.shift();
  }

  /** Bits of even chances. */
  plain(count) {
    let number = 0;
    for (; count > 0; count--) {
      this.range >>>= 1;
      const isOne = this.code >= this.range;
      if (isOne) this.code -= this.range;
      this.refill();
      number = number * 2 + (isOne ? 1 : 0);
    }
    return number;
  }

  /** A number whose bits each have a chance by the higher ones, the highest first. */
  tree(chances, count, from = 0) {
    let node = 1;
    for (let i = 0; i < count; i++) node = (node << 1) | this.bit(chances, from + node);
    return node - (1 << count);
  }

  /** The same, the lowest bit first. */
  reversed(chances, count, from = 0) {
    let node = 1, number = 0;
    for (let i = 0; i < count; i++) {
      const bit = this.bit(chances, from + node);
      node = (node << 1) | bit;
      number |= bit << i;
    }
    return number;
  }
}

const even = (count) => new Uint16Array(count).fill(1024);

/** Lengths of matches: 8 short ones, 8 longer ones, 256 long ones. */
class Lengths {
  constructor() {
    Object.assign(this, { choice: even(2), short: even(16 * 8), middle: even(16 * 8), long: even(256) });
  }

  read(coder, place) {
    if (!coder.bit(this.choice, 0)) return coder.tree(this.short, 3, 8 * place);
    if (!coder.bit(this.choice, 1)) return 8 + coder.tree(this.middle, 3, 8 * place);
    return 16 + coder.tree(this.long, 8);
  }
}

/** What the bytes of an LZMA file with a known size contain. */
class Unpacker {
  constructor(bytes) {
    const [properties] = bytes;
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    this.contextBits = properties % 9;
    this.literalMask = (1 << (Math.floor(properties / 9) % 5)) - 1;
    this.placeMask = (1 << Math.floor(properties / 45)) - 1;
    this.out = new Uint8Array(view.getUint32(5, true));
    this.coder = new RangeDecoder(bytes, 13);
    Object.assign(this, { at: 0, state: 0, recent: [0, 0, 0, 0], lengths: new Lengths(), repeated: new Lengths() });
    this.literals = even(0x300 << (this.contextBits + Math.floor(properties / 9) % 5));
    Object.assign(this, { isMatch: even(192), isRecent: even(12), isOlder: even(36), isLong: even(192) });
    Object.assign(this, { slots: even(4 * 64), distances: even(115), low: even(16) });
  }

  run() {
    const { out, coder } = this;
    while (this.at < out.length) {
      const place = this.at & this.placeMask, at = this.state * 16 + place;
      if (!coder.bit(this.isMatch, at)) this.literal();
      else if (!coder.bit(this.isRecent, this.state)) this.match(place);
      else this.again(place, at);
    }
    return out;
  }

  literal() {
    const { out, coder, literals, contextBits } = this;
    const before = this.at > 0 ? out[this.at - 1] : 0;
    const context = ((this.at & this.literalMask) << contextBits) + (before >> (8 - contextBits));
    let node = 1;
    // After a match, the byte that would have continued it predicts this one until they differ.
    if (this.state >= 7) {
      let expected = out[this.at - this.recent[0] - 1];
      while (node < 0x100) {
        const bit = (expected >> 7) & 1;
        expected <<= 1;
        const read = coder.bit(literals, 0x300 * context + ((1 + bit) << 8) + node);
        node = (node << 1) | read;
        if (read !== bit) break;
      }
    }
    while (node < 0x100) node = (node << 1) | coder.bit(literals, 0x300 * context + node);
    out[this.at++] = node & 0xff;
    this.state -= this.state < 4 ? this.state : this.state < 10 ? 3 : 6;
  }

  match(place) {
    const length = this.lengths.read(this.coder, place);
    this.recent = [this.distance(length), ...this.recent.slice(0, 3)];
    this.state = this.state < 7 ? 7 : 10;
    this.copy(length + 2);
  }

  /** A match at one of the last four distances. */
  again(place, at) {
    const { coder, recent, isOlder } = this;
    if (!coder.bit(isOlder, this.state)) {
      if (!coder.bit(this.isLong, at)) {
        this.state = this.state < 7 ? 9 : 11;
        this.copy(1);
        return;
      }
    } else {
      const which = !coder.bit(isOlder, 12 + this.state) ? 1 : 2 + coder.bit(isOlder, 24 + this.state);
      recent.unshift(...recent.splice(which, 1));
    }
    const length = this.repeated.read(coder, place);
    this.state = this.state < 7 ? 8 : 11;
    this.copy(length + 2);
  }

  distance(length) {
    const { coder } = this;
    const slot = coder.tree(this.slots, 6, 64 * Math.min(length, 3));
    if (slot < 4) return slot;
    const count = (slot >> 1) - 1, first = (2 | (slot & 1)) << count;
    if (slot < 14) return first + coder.reversed(this.distances, count, first - slot);
    return first + coder.plain(count - 4) * 16 + coder.reversed(this.low, 4);
  }

  copy(length) {
    const { out } = this, back = this.recent[0] + 1;
    for (const end = Math.min(this.at + length, out.length); this.at < end; this.at++) out[this.at] = out[this.at - back];
  }
}

/** Numbers of any width as bits, the lowest first. */

const CHUNK = 16

/** The number of bits of a whole number from 0 to 2^53. */
export const widthOf = (n: number): number => (n < TWO_32 ? 32 - Math.clz32(n) : 64 - Math.clz32(n / TWO_32))
const TWO_32 = 2 ** 32

export interface BitWriter {
  put(n: number, width: number): void
  end(): Uint8Array
}

export function bitWriter(): BitWriter {
  let bytes = new Uint8Array(1_024)
  let [size, held, left] = [0, 0, 0]
  function putChunk(n: number, width: number): void {
    held |= n << left
    left += width
    if (size + 4 > bytes.length) {
      const larger = new Uint8Array(bytes.length * 2)
      larger.set(bytes)
      bytes = larger
    }
    while (left >= 8) {
      bytes[size++] = held & 255
      held >>>= 8
      left -= 8
    }
  }
  return {
    put(n, width) {
      for (; width > CHUNK; width -= CHUNK, n = Math.floor(n / 65_536)) putChunk(n % 65_536, CHUNK)
      putChunk(n, width)
    },
    end() {
      if (left > 0) bytes[size++] = held & 255
      return bytes.subarray(0, size)
    },
  }
}

/** @returns a function that reads the next number of a width */
export function bitReader(bytes: Uint8Array): (width: number) => number {
  let [at, held, left] = [0, 0, 0]
  function take(width: number): number {
    while (left < width) {
      held |= bytes[at++]! << left
      left += 8
    }
    const found = held & ((1 << width) - 1)
    held >>>= width
    left -= width
    return found
  }
  return width => {
    if (width <= CHUNK) return take(width)
    let [n, unit] = [0, 1]
    for (; width > CHUNK; width -= CHUNK, unit *= 65_536) n += unit * take(CHUNK)
    return n + unit * take(width)
  }
}

/** Writes numbers from 0 on, seven bits a byte. */
export function varints(numbers: readonly number[]): Uint8Array {
  const bytes: number[] = []
  for (let n of numbers) {
    for (; n > 127; n = Math.floor(n / 128)) bytes.push((n % 128) + 128)
    bytes.push(n)
  }
  return Uint8Array.from(bytes)
}

/** Reads numbers that `varints` wrote. @throws Error at the end of the bytes */
export function varintReader(bytes: Uint8Array, from = 0): { next(): number; readonly at: number } {
  let at = from
  return {
    next() {
      for (let n = 0, unit = 1; ; unit *= 128) {
        const byte = bytes[at++]
        if (byte === undefined) throw new Error('a block is cut short')
        n += (byte & 127) * unit
        if (byte < 128) return n
      }
    },
    get at() {
      return at
    },
  }
}

/**
 * LZ4 in Parquet: blocks without a frame (`LZ4_RAW`), and the older `LZ4`, in which Hadoop adds lengths and others do not
 * (the compression page of github.com/apache/parquet-format; the block format
 * in github.com/lz4/lz4).
 */

/** Shortest match; a match of length 0 means it. */
const MIN_MATCH = 4

/** @param length length of the unpacked data @throws Error if it is not such a block */
export function lz4Block(input: Uint8Array, length: number): Uint8Array {
  const output = new Uint8Array(length)
  if (unpack(input, output) !== length) throw new Error('a block of LZ4 is shorter than it says')
  return output
}

/** Blocks in Hadoop's form, each after its unpacked and its packed length; otherwise one block. @throws Error */
export function lz4(input: Uint8Array, length: number): Uint8Array {
  return inHadoopForm(input, length) ?? lz4Block(input, length)
}

function inHadoopForm(input: Uint8Array, length: number): Uint8Array | undefined {
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength)
  const output = new Uint8Array(length)
  let [from, written] = [0, 0]
  while (from + 8 <= input.length) {
    const [unpacked, packed] = [view.getUint32(from), view.getUint32(from + 4)]
    from += 8
    if (written + unpacked > length || from + packed > input.length) return undefined
    try {
      if (unpack(input.subarray(from, from + packed), output.subarray(written, written + unpacked)) !== unpacked) return undefined
    } catch {
      return undefined
    }
    from += packed
    written += unpacked
  }
  return from === input.length && written === length ? output : undefined
}

/** @returns bytes written @throws Error if a length or an offset leaves either buffer */
function unpack(input: Uint8Array, output: Uint8Array): number {
  let [from, to] = [0, 0]
  const byte = (): number => {
    const value = input[from++]
    if (value === undefined) throw new Error('a block of LZ4 does not end')
    return value
  }
  /** For 15 and more, further bytes follow. */
  const lengthOf = (nibble: number): number => {
    let length = nibble
    for (let more = nibble === 15 ? 255 : 0; more === 255; length += more) more = byte()
    return length
  }

  while (from < input.length) {
    const token = byte()
    const literals = lengthOf(token >> 4)
    if (from + literals > input.length || to + literals > output.length) throw new Error('a block of LZ4 is longer than it says')
    output.set(input.subarray(from, from + literals), to)
    from += literals
    to += literals
    if (from === input.length) return to // the last literals have no match
    const offset = byte() | (byte() << 8)
    const length = lengthOf(token & 15) + MIN_MATCH
    if (offset === 0 || offset > to || to + length > output.length) throw new Error('a block of LZ4 refers to missing data')
    // A match may overlap with what it writes: then it repeats itself.
    for (const end = to + length; to < end; to++) output[to] = output[to - offset] ?? 0
  }
  return to
}

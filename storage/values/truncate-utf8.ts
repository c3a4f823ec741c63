const encoder = new TextEncoder()

/** Returns the longest prefix of a text that fits into that many bytes of UTF-8, without splitting a character. */
export function truncateToBytes(text: string, bytes: number): string {
  if (text.length * 3 <= bytes || Buffer.byteLength(text) <= bytes) return text
  return text.slice(0, encoder.encodeInto(text, new Uint8Array(bytes)).read)
}

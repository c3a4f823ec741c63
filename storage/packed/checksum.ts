/** CRC-32 of bytes, by zlib where this version of Node has it. */
import * as zlib from 'node:zlib'

const own: { readonly crc32?: (bytes: Uint8Array) => number } = zlib

export const checksum: (bytes: Uint8Array) => number = own.crc32 ?? crc32

const table = Uint32Array.from({ length: 256 }, (_, n) => {
  let value = n
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value >>> 0
})

/** For Node 20 before 20.15. */
export function crc32(bytes: Uint8Array): number {
  let value = 0xffff_ffff
  for (let i = 0; i < bytes.length; i++) value = (value >>> 8) ^ table[(value ^ bytes[i]!) & 255]!
  return (value ^ 0xffff_ffff) >>> 0
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz' // Crockford's: no i, l, o, u

/** Time and randomness in base32, so that such texts sort by age. @param random 14 bytes; with fewer, some are reused */
export function sortableId(at: number, random: Uint8Array): string {
  let time = ''
  for (let rest = at, i = 0; i < 9; i++, rest = Math.floor(rest / 32)) time = alphabet[rest % 32] + time
  let chance = ''
  for (let i = 0; i < 14; i++) chance += alphabet[(random[i % random.length] ?? 0) & 31]
  return time + chance
}

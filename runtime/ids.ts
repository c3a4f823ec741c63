/** Ids: a prefix that names the kind, then time and chance in base32, so that they sort by age. */

export const idPrefixes = {
  workspace: 'ws_', site: 'pa_', segment: 'seg_', webhook: 'wh_', delivery: 'whd_', goal: 'goal_', funnel: 'fun_',
  channel: 'nch_', alert: 'alr_', dashboard: 'dash_', check: 'upc_', conversation: 'ask_',
  account: 'acc_', member: 'mem_', note: 'note_', incident: 'inc_', audit: 'aud_', event: 'evt_',
  notification: 'ntf_',
} as const
export type IdKind = keyof typeof idPrefixes

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz' // Crockford's: no i, l, o, u

/** @param random at least 10 bytes */
export function makeId(kind: IdKind, at: number, random: Uint8Array): string {
  let time = ''
  for (let rest = at, i = 0; i < 9; i++, rest = Math.floor(rest / 32)) time = alphabet[rest % 32] + time
  let chance = ''
  for (let i = 0; i < 14; i++) chance += alphabet[(random[i % random.length] ?? 0) & 31]
  return idPrefixes[kind] + time + chance
}

/** A random UUID, version 4 (RFC 9562 §5.4), from 16 random bytes. */
export function makeUuid(random: Buffer): string {
  const bytes = Buffer.from(random)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

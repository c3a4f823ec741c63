/** Verification of a domain: only its operator can create a record at its name server. */
import { Resolver } from 'node:dns/promises'
import { clipped } from '../../../runtime/values/clip.ts'
import { m } from './messages.ts'
import type { Message } from '../../../runtime/texts/message.ts'

export const recordName = (domain: string): string => `_sso-verification.${domain}`
export const recordValue = (proof: string): string => `footfall-sso-verification=${proof}`

const timeoutMs = 3_000

/**
 * Looks up the TXT record that verifies a domain.
 * @param servers name servers to use instead of the machine's
 * @returns why the record is missing, undefined if it exists
 */
export async function missingProof(domain: string, proof: string, servers: readonly string[]): Promise<Message | undefined> {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  const name = recordName(domain)
  try {
    // DNS splits a text of more than 255 characters (RFC 7208 §3.3).
    const found = (await resolver.resolveTxt(name)).map(pieces => pieces.join('').trim())
    if (found.includes(recordValue(proof))) return undefined
    const seen = found.slice(0, 3).map(text => `"${clipped(text, 80)}"`)
    return m.another_record({ name, records: seen })
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
    if (code === 'ENOTFOUND' || code === 'ENODATA') return m.no_record_yet({ name })
    return m.name_server_silent({ name, code: code || 'unknown' })
  }
}

/**
 * `npm run networks -- FILE…`: makes the bundled routes of well-known networks from files with lines of a first address, a last address and
 * the number of an autonomous system, separated by tabs or commas. For example, `ip2asn-combined.tsv` of iptoasn.com (public domain).
 */
import fs from 'node:fs'
import path from 'node:path'
import ipaddr from 'ipaddr.js'
import { NETWORKS } from '../operations/sites/collection/networks/network-table.ts'
import type { NetworkKind } from '../storage/engine/vocabulary/networks.ts'
import { root } from './build/root.ts'
import { commandLine } from './command-line.ts'

/** The narrowest prefixes that are kept, by kind: bits of IPv4 and of IPv6. Narrow ones are many, and have few visitors. */
const NARROWEST: Readonly<Record<NetworkKind, readonly [v4: number, v6: number]>> = {
  vpn: [24, 48],
  hosting: [21, 36],
  mobile: [19, 36],
  education: [18, 36],
  isp: [18, 32],
}
/** Known to visitors' browsers although narrow: public resolvers. */
const ALWAYS: Readonly<Record<number, string>> = { 13335: '1.0.0/24 1.1.1/24', 15169: '8.8.4/24 8.8.8/24' }

const FIRST_RELIABLE = 1_000

const program = commandLine('networks').argument('<files...>', 'files of ranges').parse()
const kinds = new Map(NETWORKS.flatMap(([kind, , systems]) => systems.split(' ').map(asn => [Number(asn), kind] as const)))
const ranges = new Map<number, { v4: [bigint, bigint][]; v6: [bigint, bigint][] }>()
for (const file of program.args) {
  for (const line of fs.readFileSync(file, 'utf8').split('\n')) {
    const [first = '', last = '', system = ''] = line.split(/[\t,]/)
    const asn = Number(system)
    if (!kinds.has(asn)) continue
    const own = ranges.get(asn) ?? { v4: [], v6: [] }
    ranges.set(asn, own)
    own[first.includes(':') ? 'v6' : 'v4'].push([numberOf(first), numberOf(last)])
  }
}
const lines = [...ranges]
  .sort(([a], [b]) => a - b)
  .flatMap(([asn, { v4, v6 }]) => {
    const [most4, most6] = NARROWEST[kinds.get(asn) ?? 'isp']
    // Lists of IPv6 by registry have countries' networks under such low numbers.
    const prefixes = [...prefixesOf(v4, 32, most4), ...(asn < FIRST_RELIABLE ? [] : prefixesOf(v6, 128, most6))]
    const all = [...(ALWAYS[asn] ? [ALWAYS[asn]] : []), ...prefixes]
    return all.length === 0 ? [] : [`${asn} ${all.join(' ')}\n`]
  })
fs.writeFileSync(path.join(root, 'operations/sites/collection/networks/routes.txt'), lines.join(''))
process.stdout.write(`${lines.length} networks\n`)

function numberOf(address: string): bigint {
  return ipaddr
    .parse(address)
    .toByteArray()
    .reduce((all, byte) => all * 256n + BigInt(byte), 0n)
}

/** The fewest prefixes that cover the ranges, without those that are narrower than `max`. */
function prefixesOf(ranges: [bigint, bigint][], bits: 32 | 128, max: number): string[] {
  const joined: [bigint, bigint][] = []
  for (const [from, to] of ranges.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))) {
    const before = joined.at(-1)
    if (!before || from > before[1] + 1n) joined.push([from, to])
    else if (to > before[1]) before[1] = to
  }
  const found: string[] = []
  for (const [start, end] of joined) {
    for (let from = start; from <= end; ) {
      let size = 0
      while (size < bits && (from >> BigInt(size)) % 2n === 0n && from + (1n << BigInt(size + 1)) - 1n <= end) size++
      if (bits - size <= max) found.push(`${textOf(from, bits)}/${bits - size}`)
      from += 1n << BigInt(size)
    }
  }
  return found
}

/** In short form: `18.4` for 18.4.0.0. */
function textOf(address: bigint, bits: 32 | 128): string {
  const bytes = Array.from({ length: bits / 8 }, (_, i) => Number((address >> BigInt(bits - 8 * (i + 1))) & 255n))
  return bits === 32 ? bytes.join('.').replace(/(\.0)+$/, '') : ipaddr.fromByteArray(bytes).toString()
}

/** Reads fixtures of matomo's device-detector: the part of YAML that they are written in. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface Fixture {
  readonly userAgent: string
  /** Whether the record describes a bot. */
  readonly isBot: boolean
  /** Kind of the client, for example `browser`, `mobile app`, `feed reader`; '' if unknown. */
  readonly client: string
  /** Kind of the device, for example `smartphone`; '' if unknown. */
  readonly device: string
}

/** @throws Error if the folder has no fixtures */
export async function readFixtures(folder: string): Promise<Fixture[]> {
  const files = (await readdir(folder)).filter(file => file.endsWith('.yml')).sort()
  const texts = await Promise.all(files.map(file => readFile(join(folder, file), 'utf8')))
  const fixtures = texts.flatMap(fixturesIn)
  if (fixtures.length === 0) throw new Error(`${folder} has no fixtures: name the folder of the .yml files that have user_agent`)
  return fixtures
}

/** Reads a list of records. Only their scalars are read: the user agent, and the types of client and device. */
export function fixturesIn(yaml: string): Fixture[] {
  return yaml.split(/^-(?=\s)/m).flatMap(record => {
    const userAgent = /^\s*user_agent: (?:\|-?\n\s+)?(.+)$/m.exec(record)?.[1]
    if (userAgent === undefined) return []
    const typeOf = (section: string) => scalar(new RegExp(`^  ${section}:\\n(?: {4,}.*\\n)*? {4}type: (.*)$`, 'm').exec(record)?.[1] ?? '')
    return [{ userAgent: scalar(userAgent), isBot: /^ {2}bot:/m.test(record), client: typeOf('client'), device: typeOf('device') }]
  })
}

/** YAML 1.2 §7.3: double-quoted, single-quoted and plain. */
function scalar(text: string): string {
  const trimmed = text.trim()
  if (/^".*"$/.test(trimmed)) return String(JSON.parse(trimmed.replaceAll('\t', '\\t')))
  return /^'.*'$/.test(trimmed) ? trimmed.slice(1, -1).replaceAll("''", "'") : trimmed
}

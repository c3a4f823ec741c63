/**
 * `npm run import -- hits.ndjson --site pa_…`: imports raw hits with their times. docs/import.md has the fields.
 * After an interruption the same command continues where it stopped.
 */
import { writeFile } from 'node:fs/promises'
import { Option } from 'commander'
import { fields, parseMap } from '../operations/exchange/imports/fields.ts'
import { type Format, formats, openHitFile } from '../operations/exchange/imports/hit-file.ts'
import { overlaps } from '../operations/exchange/imports/records.ts'
import type { Refused } from '../operations/exchange/imports/journal.ts'
import { importFile, type ImportResult } from '../operations/exchange/imports/import-file.ts'
import { addressing, ownDomainsByWorkspace } from '../operations/sites/collection/addressing.ts'
import { limitsIn } from '../operations/sites/collection/limits.ts'
import { ASN_DATABASE, GEOIP_DATABASE, RETENTION_DAYS } from '../operations/sites/collection/settings.ts'
import { table } from '../operations/index.ts'
import { isLive } from '../operations/sites/sites/records.ts'
import { emitter } from '../runtime/events/emitter.ts'
import type { Db } from '../storage/store.ts'
import { canonicalZone } from '../storage/calendar/zones.ts'
import { type SourceName, sourceNames } from '../operations/exchange/imports/sources/index.ts'
import { commandLine } from './command-line.ts'
import { importSource } from './import-source.ts'
import { command, random, withDatabase } from './machine.ts'
import { openProgress } from './progress.ts'

const program = commandLine('import')
  .argument('<file>', 'NDJSON or CSV, plain or gzipped; with --source what that product exports')
  .requiredOption('--site <id>', 'site that takes the hits, pa_…')
  .option('--map <list>', 'fields that have other names in the file: timestamp=created_at,url=page')
  .option('--timezone <name>', 'clock that times without an offset were read from', 'UTC')
  .addOption(new Option('--source <product>', 'product whose export it is; default: our own fields').choices(sourceNames))
  .option('--dry-run', 'with --source: read and check the file, and store nothing')
  .addOption(
    new Option('--overlap <choice>', 'days that an earlier import of the product, or of raw hits, has; replace only with --source')
      .choices(overlaps)
      .default('refuse'),
  )
  .addOption(new Option('--format <format>', 'where the name of the file does not say it').choices(formats))
  .option('--delimiter <character>', 'between the fields of a CSV; default: as in the header, a comma, semicolon or tab')
  .option('--refused <file>', 'where refused lines are listed; default: next to the file, with .refused.csv')
  .addHelpText('after', `\nFields:\n${help()}`)

interface Options {
  readonly site: string
  readonly map?: string
  readonly timezone: string
  readonly source?: SourceName
  readonly dryRun?: true
  readonly overlap: (typeof overlaps)[number]
  readonly format?: Format
  readonly delimiter?: string
  readonly refused?: string
}

export const run = (): Promise<void> => {
  const options = program.parse().opts<Options>()
  const [path = ''] = program.args
  return command(async config => {
    const map = parseMap(options.map ?? '')
    const zone = canonicalZone(options.timezone)
    if (zone === null) throw new Error(`--timezone "${options.timezone}" is not an IANA time zone like Europe/Berlin`)
    if (options.delimiter !== undefined && !/^[^"\r\n]$/.test(options.delimiter)) {
      throw new Error('--delimiter must be one character, and no quote')
    }
    const stop = new AbortController()
    const end = () => stop.abort()
    for (const signal of signals) process.once(signal, end)

    await withDatabase(config, async (store, now) => {
      const found = await siteOf(store.read, options.site)
      const ownDomains = await ownDomainsByWorkspace(store.read, [found])
      const site = { ...found, ...addressing(found, ownDomains.get(found.workspace_id)) }
      if (options.source !== undefined) {
        return importSource(store, {
          config,
          now,
          site,
          path,
          source: options.source,
          timezone: zone,
          dryRun: options.dryRun === true,
          overlap: options.overlap,
        })
      }
      const { overlap } = options
      if (overlap === 'replace') throw new Error('--overlap replace needs --source footfall')
      const file = await openHitFile(path, options)
      const progress = openProgress()
      const began = Date.now()
      let already: number | undefined
      const taken = await importFile(store, {
        site,
        file,
        map,
        overlap,
        zone,
        limits: limitsIn(config),
        retentionDays: config.of(RETENTION_DAYS),
        geoDatabase: config.of(GEOIP_DATABASE) || undefined,
        networkDatabase: config.of(ASN_DATABASE) || undefined,
        now,
        randomBytes: random,
        signal: stop.signal,
        emitIn: emitter(table.subscribers, { config, random }),
        onUnread: columns => columns.length > 0 && process.stderr.write(`Not read: ${columns.join(', ')}\n`),
        onProgress(bytes, row) {
          already ??= row.hits
          const rate = (row.hits - already) / Math.max(0.001, (Date.now() - began) / 1000)
          const figures = `${count(row.hits)} hits, ${count(row.refused)} refused · ${count(Math.round(rate))}/s`
          progress.show(bytes / file.bytes, figures)
        },
      }).finally(progress.end)
      process.stdout.write(summary(taken, stop.signal.aborted))
      if (taken.refused.length > 0) {
        const list = options.refused ?? `${path}.refused.csv`
        await writeFile(list, `line,reason\n${taken.refused.map(csvLine).join('')}`)
        const all = taken.refused.length === taken.row.refused ? '' : `the first ${count(taken.refused.length)} `
        process.stdout.write(`Refused lines, ${all}with their reasons: ${list}\n`)
      }
      if (taken.failure !== undefined) throw new Error(String(taken.failure))
      if (stop.signal.aborted) process.exitCode = 1
    }).finally(() => signals.forEach(signal => process.off(signal, end)))
  })
}
const signals = ['SIGTERM', 'SIGINT'] as const

function help(): string {
  return Object.entries(fields)
    .map(([name, { description }]) => `  ${name.padEnd(16)} ${description}`)
    .join('\n')
}

function csvLine({ line, reason }: Refused): string {
  return `${line},"${String(reason).replaceAll('"', '""')}"\n`
}

async function siteOf(db: Db, id: string) {
  const row = await db.selectFrom('sites').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row || !isLive(row)) throw new Error(`There is no site "${id}"`)
  return row
}

function summary({ row, before }: ImportResult, stopped: boolean): string {
  const figures = `${count(row.hits)} hits, ${count(row.refused)} refused`
  const { moneyless } = row
  const money =
    moneyless > 0 ? `${count(moneyless)} kept without their revenue: the currency is not the site’s, or the amount is none\n` : ''
  if (before) return `This file was imported before: ${figures}. Nothing was added.\n`
  return stopped ? `Stopped after ${figures}. The same command continues from here.\n` : `${figures}\n${money}`
}

function count(number: number): string {
  return number.toLocaleString('en-US')
}

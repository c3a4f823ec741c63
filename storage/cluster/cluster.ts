/**
 * Sealed days in a ClickHouse cluster. Each day has a copy with a number of its own, which the database stores. A copy never
 * changes: a changed day is copied again, and its earlier copy is deleted later.
 */
import { randomInt } from 'node:crypto'
import { StorageUnavailable } from '../values/storage-unavailable.ts'
import { dateOf } from '../calendar/zones.ts'
import type { ClusterSettings, Result } from './connection.ts'
import type { CopyOf } from './day-blocks.ts'
import type { DayRows } from './day-rows.ts'
import type { Merging } from './merging.ts'
import type { TableName } from './tables.ts'

export type { ClusterSettings } from './connection.ts'

/** A copy of a day. */
export interface Copy {
  readonly day: number
  readonly copy: number
}

export interface Cluster {
  readonly settings: ClusterSettings
  /**
   * Writes a copy, and reads back whether all of it was stored. Its number must never have been used.
   * @throws StorageUnavailable
   * @throws Error if what was stored is not what was written
   */
  write(of: CopyOf, rows: DayRows): Promise<void>
  /** All rows of a copy, also a part of them. @throws StorageUnavailable also if a shard is silent for five seconds */
  rows(site: number, copy: Copy): Promise<DayRows>
  /**
   * Expressions over copies of a site, in the order of days and of `order`.
   * @param selected SQL by the names of the result
   * @param group what to group by, for sums
   */
  select(
    table: TableName,
    site: number,
    copies: readonly Copy[],
    selected: Readonly<Record<string, string>>,
    order: string,
    group?: string,
    signal?: AbortSignal,
  ): Promise<Result>
  /** Any query. */
  read(query: string): Promise<Result>
  /** Begins to delete copies, whose rows are deleted some time later. */
  remove(copies: readonly (Copy & { readonly site: number })[]): Promise<void>
  /** Finds the copies that still have rows. */
  left(copies: readonly (Copy & { readonly site: number })[]): Promise<ReadonlySet<number>>
  /** Merges the parts of each month, on each shard. @throws StorageUnavailable also if the user may not */
  merge(how: Merging): Promise<void>
  /** Asks every shard. @throws StorageUnavailable */
  ping(signal?: AbortSignal): Promise<void>
  /** Makes the tables that are missing. */
  prepare(): Promise<void>
  close(): Promise<void>
}

let newest = 0

/**
 * Makes a number for a copy from the time, so that no number is used again, and from chance, for two processes at the same
 * time. Within a process each number is above the last one, also if its clock is set back.
 */
export const newCopy = (now: number): number => (newest = Math.max(now * 4_096 + randomInt(4_096), newest + 1))

/** Thrown if a server does not have all of a copy yet, or any more. */
export const incompleteIn = (day: number): StorageUnavailable =>
  new StorageUnavailable('cluster', `The ClickHouse cluster does not have all of a day (${dateOf(day)}).`)

/** Makes a condition that reads by the key of the table. Without its first line, a server may read every part. */
export function among(site: number, copies: readonly Copy[]): string {
  const days = copies.map(({ day }) => day)
  return `site = ${site} and day >= ${Math.min(...days)} and day <= ${Math.max(...days)}
    and (day, copy) in (${copies.map(({ day, copy }) => `(${day}, ${copy})`).join(', ')})`
}

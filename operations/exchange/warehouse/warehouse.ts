/** The interface of a warehouse: it stores days of tables, each completely or not at all. */
import type { Sentence } from '../../../runtime/texts/message.ts'
import type { Config } from '../../../runtime/settings/config.ts'
import type { SecretBox } from '../../../runtime/settings/secret-box.ts'
import type { Db } from '../../../storage/store.ts'
import type { Cells, Column, TableName } from '../exports/index.ts'

export interface DayToSend {
  readonly table: TableName
  readonly columns: readonly Column[]
  /** Id of the site. */
  readonly site: string
  /** `YYYY-MM-DD` */
  readonly date: string
  readonly rev: number
  rows(): AsyncIterable<readonly Cells[]>
  /** Called before each request. @throws if the day may not be sent any more */
  assertLease(): Promise<void>
  /** Called when all rows are stored but not visible yet. @throws if the day has changed since its first row was read */
  assertUnchanged(): Promise<void>
}

export interface SentFigures {
  readonly rows: number
  readonly bytes: number
}

export interface Warehouse {
  /** Replaces a day. After a failure or crash, sending it again repairs it. */
  send(day: DayToSend): Promise<SentFigures>
  /** Tries everything that `send` needs, and removes it. */
  test(): Promise<void>
  close(): Promise<void>
}

/** The reason why a warehouse refused data, in texts of Footfall, because the server's own text may repeat sent data. */
export class WarehouseError extends Error {
  readonly code: string
  /** The text for people; `message` is its English. */
  readonly sentence: Sentence
  constructor(code: string, sentence: Sentence) {
    super(String(sentence))
    this.code = code
    this.sentence = sentence
  }
}

export interface Opening {
  readonly config: Config
  readonly box: SecretBox
  readonly db: Db
  readonly tables: readonly TableName[]
  now(): number
}

/** The columns of a table without site and day, which folders and key columns contain. */
export const ownColumns = (columns: readonly Column[]): readonly Column[] => columns.filter(({ name }) => name !== 'date')

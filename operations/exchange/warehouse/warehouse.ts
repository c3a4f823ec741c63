/** The interface of a warehouse: it stores days of tables, each whole or not at all. */
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
  /** Called before each request. @throws where the day may not be sent any more */
  mayGoOn(): Promise<void>
  /** Called when all rows are there and nothing shows them yet. @throws where the day has changed since its first row was read */
  isWhole(): Promise<void>
}

export interface Sent {
  readonly rows: number
  readonly bytes: number
}

export interface Warehouse {
  /** Replaces a day. After a failure, or a crash anywhere, sending it again makes it right. */
  send(day: DayToSend): Promise<Sent>
  /** Tries everything that `send` needs, and leaves nothing. */
  test(): Promise<void>
  close(): Promise<void>
}

/** Why a warehouse took nothing: in texts of ours, as its own may repeat what it was sent. */
export class WarehouseError extends Error {
  readonly code: string
  /** What people read of it; `message` is its English. */
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

/** The columns of a table without those that say whose and which day it is: folders and key columns have them. */
export const ownColumns = (columns: readonly Column[]): readonly Column[] => columns.filter(({ name }) => name !== 'date')

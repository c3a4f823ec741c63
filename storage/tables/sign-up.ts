/** People who asked for an account and have not opened the link that was mailed to them. */

export interface SignUpRow {
  id: string
  email: string
  name: string | null
  /** Hash of the link's secret. */
  hash: string
  /** Code of whoever led them here. */
  code: string | null
  /** `link`: by the address with the code; `box`: in a box on a page of theirs. */
  via: string | null
  created_at: number
  expires_at: number
}

declare module './index.ts' {
  interface Tables {
    sign_ups: SignUpRow
  }
}

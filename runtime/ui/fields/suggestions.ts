/** Known values of a field that takes any text. */
export interface Suggestion {
  readonly value: string
  /** The name that people use for it, if it differs. */
  readonly label?: string | undefined
  /** Shown at the end, such as the number of its visits. */
  readonly note?: string | undefined
  /** Address of the flag of a country. */
  readonly flag?: string | undefined
}

export interface Suggestions {
  readonly values: readonly Suggestion[]
  /** Whether there are more than these, which scripts look up while someone types. */
  readonly hasMore?: boolean | undefined
}

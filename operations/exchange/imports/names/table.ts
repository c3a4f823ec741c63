/** The form of a table of names. Each product has one. */

/**
 * Our name, then the product's names for it, separated by ` | `. `Windows@XP` also sets the version. `Android@` drops the
 * version, because the product's version belongs to another system.
 */
export type NameRow = readonly [ours: string, theirs: string]

export interface NameTable {
  readonly browsers: readonly NameRow[]
  readonly systems: readonly NameRow[]
  readonly devices: readonly NameRow[]
}

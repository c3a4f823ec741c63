/**
 * What one area tells the others of in the transaction of a change, so that each does its own part of it: what a
 * deleted workspace takes along, or why a goal has to stay. Nothing is written, and no webhook hears of it.
 */
declare const about: unique symbol

export interface Hook<Subject> {
  /** For people: `a workspace is deleted`. */
  readonly when: string
  readonly [about]?: Subject
}

export function hook<Subject>(when: string): Hook<Subject> {
  return Object.freeze({ when })
}

/**
 * Lets other areas take part in a change, in its transaction: delete what belongs to a workspace, or refuse to delete a
 * goal. Hooks are not stored or sent to webhooks.
 */
declare const about: unique symbol

export interface Hook<Subject> {
  /** For documentation: `a workspace is deleted`. */
  readonly when: string
  readonly [about]?: Subject
}

export function hook<Subject>(when: string): Hook<Subject> {
  return Object.freeze({ when })
}

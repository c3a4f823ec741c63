/** A prompt is a task in words that a person can start an agent with; it names the operations it takes. */

export interface Prompt {
  /** As a menu shows it. */
  readonly title: string
  readonly description: string
  readonly arguments: Readonly<Record<string, PromptArgument>>
  /** The task, in the words of the person who has it. */
  text(given: Readonly<Record<string, string>>): string
}

export interface PromptArgument {
  readonly description: string
  readonly required: boolean
  /** The subject that it names (`site`): while it is typed, the list of those is searched. */
  readonly names?: string
  /** Examples of its value. */
  readonly suggested?: readonly string[]
}

export function prompt(declared: Prompt): Prompt {
  return Object.freeze(declared)
}

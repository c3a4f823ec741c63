/**
 * Jobs: rows that one process works on for a while, such as imports and exports. The task that runs them has a lease,
 * so after a crash another process finds them `running` and continues from what they committed.
 */
import { Type } from '@sinclair/typebox'
import { DateTime, iso, Nullable, OneOf, Sentence } from '../table/schema.ts'
import { type Sentence as SentenceText, sentenceOf } from '../texts/message.ts'
import { processDueRows } from './process-due-rows.ts'

export const jobStates = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const
/** States in which a job is still to be worked on. */
export const jobsOpen = ['pending', 'running'] as const

/** Jobs of a workspace that run at once. */
const MAX_RUNNING_OF_WORKSPACE = 2
/** Jobs of all workspaces that run at once. */
const MAX_RUNNING = 8

export interface Job {
  readonly id: string
  readonly workspace_id: string
}

interface JobState {
  progress: number
  error_code: string | null
  error_message: string | null
  started_at: number | null
  finished_at: number | null
  created_at: number
  updated_at: number
}

/** Fields of the record of a job. @param states values of `status`, including states before the job's own */
export const jobFields = <const S extends readonly string[]>(states: S, description: string) => ({
  status: OneOf(states, { description }),
  progress: Type.Integer({ unit: 'percent', description: 'Progress of the job.' }),
  error: Nullable(
    Type.Object({
      code: Type.String({ description: 'Error code, for programs.' }),
      message: Sentence({ description: 'Error message, for people.' }),
    }),
    { description: 'Reason of the failure; null if the job did not fail.' },
  ),
  started_at: Nullable(DateTime(), { description: 'Start of the work on the job.' }),
  finished_at: Nullable(DateTime(), { description: 'End of the job.' }),
  created_at: DateTime({ description: 'Creation time.' }),
  updated_at: DateTime({ description: 'Time of the last change.' }),
})

/** The values of `jobFields`, except for its status. */
export const jobState = (row: JobState) => ({
  progress: row.progress,
  error: row.error_code === null ? null : { code: row.error_code, message: sentenceOf(row.error_message ?? '') },
  started_at: iso(row.started_at),
  finished_at: iso(row.finished_at),
  created_at: iso(row.created_at),
  updated_at: iso(row.updated_at),
})

/** Reason why a job cannot succeed, shown in its record. Any other error is our fault, and the job is tried again. */
export class JobFailure extends Error {
  readonly code: string
  /** The message of its record, in any language; `message` is its English. */
  readonly sentence: SentenceText
  constructor(code: string, sentence: SentenceText) {
    super(String(sentence))
    this.code = code
    this.sentence = sentence
  }
}

/**
 * Runs the open jobs, two of a workspace at a time, until none is left.
 * @param open the open jobs, oldest first
 */
export async function runJobs<J extends Job>(signal: AbortSignal, open: () => Promise<readonly J[]>, work: (job: J) => Promise<void>) {
  const begun = new Set<string>()
  await processDueRows<J, void>({
    max: MAX_RUNNING,
    signal,
    laneOf: job => job.workspace_id,
    async claim(free, lanes) {
      const running = new Map(lanes)
      const claimed: J[] = []
      for (const job of free > 0 ? await open() : []) {
        const inWorkspace = running.get(job.workspace_id) ?? 0
        if (claimed.length === free || begun.has(job.id) || inWorkspace >= MAX_RUNNING_OF_WORKSPACE) continue
        running.set(job.workspace_id, inWorkspace + 1)
        begun.add(job.id) // one that is still open after its run waits for the next run of the task
        claimed.push(job)
      }
      return claimed
    },
    work,
  })
}

/**
 * Jobs: rows that one process works on for a while, such as imports and exports. The task that runs them has a lease,
 * so after a crash another process finds them `running` and continues from what they committed.
 */
import { Type } from '@sinclair/typebox'
import { DateTime, iso, Nullable, OneOf, Sentence } from '../table/schema.ts'
import { type Sentence as SentenceText, sentenceOf } from '../texts/message.ts'
import { workThrough } from './process-due-rows.ts'

export const jobStates = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const
/** States in which a job is still to be worked on. */
export const jobsOpen = ['pending', 'running'] as const

/** Jobs of a workspace that run at once. */
const MOST_EACH = 2
/** Jobs of all workspaces that run at once. */
const MOST = 8

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

/** Fields of the record of a job. @param states those of `status`, with what comes before them */
export const jobFields = <const S extends readonly string[]>(states: S, description: string) => ({
  status: OneOf(states, { description }),
  progress: Type.Integer({ unit: 'percent', description: 'How far it is.' }),
  error: Nullable(
    Type.Object({
      code: Type.String({ description: 'What went wrong, for programs.' }),
      message: Sentence({ description: 'What went wrong, for people.' }),
    }),
    { description: 'Why it failed; null if it did not.' },
  ),
  started_at: Nullable(DateTime(), { description: 'When work on it began.' }),
  finished_at: Nullable(DateTime(), { description: 'When it ended.' }),
  created_at: DateTime({ description: 'When it was made.' }),
  updated_at: DateTime({ description: 'When it last changed.' }),
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

/** Why a job cannot succeed: shown in its record. Anything else that is thrown is a fault of ours, and tried again. */
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
  await workThrough<J, void>({
    most: MOST,
    signal,
    laneOf: job => job.workspace_id,
    async claim(free, lanes) {
      const running = new Map(lanes)
      const claimed: J[] = []
      for (const job of free > 0 ? await open() : []) {
        const inWorkspace = running.get(job.workspace_id) ?? 0
        if (claimed.length === free || begun.has(job.id) || inWorkspace >= MOST_EACH) continue
        running.set(job.workspace_id, inWorkspace + 1)
        begun.add(job.id) // one that is still open after its run waits for the next run of the task
        claimed.push(job)
      }
      return claimed
    },
    work,
  })
}

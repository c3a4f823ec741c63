/** The state of a job: its status, its progress, and why it failed. */
import type { Sentence } from '../texts/message.ts'
import { Tag } from './cell.tsx'
import type { Viewer } from './format.ts'
import { fieldWords } from './words.ts'
import { say } from '../texts/say.ts'

export interface Job {
  readonly status: string
  /** Percent. */
  readonly progress?: number | null
  readonly error?: { readonly message: Sentence } | null
}

/** Seconds after which the page of an unfinished job is loaded again. */
const AGAIN_AFTER = 3

const isOpen = ({ status }: Job): boolean => status === 'pending' || status === 'running'

/** For the page of a job, next to its content. */
export const whileOpen = (job: Job): { readonly againAfter?: number } => (isOpen(job) ? { againAfter: AGAIN_AFTER } : {})

export function JobState({ job, viewer }: { job: Job; viewer: Viewer }) {
  const error = job.error?.message ?? ''
  return (
    <>
      <p>
        <Tag value={job.status} viewer={viewer} />{' '}
        {isOpen(job) && <progress max={100} value={job.progress ?? 0} aria-label={fieldWords('progress', viewer)} />}
      </p>
      {error !== '' && <p class="error">{say(viewer, error)}</p>}
    </>
  )
}

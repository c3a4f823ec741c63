/** The state of a job: its status, how far it is, and why it failed. */
import { Tag } from './cell.tsx'
import { told } from './languages/index.ts'
import { fieldWords } from './words.ts'
import { number, record, type Row, text } from '../../adapters/pages/views/read.ts'
import type { Seen } from '../../adapters/pages/views/view.ts'

/** Seconds after which the page of a job that is not over is loaded again. */
const AGAIN_AFTER = 3

const isOpen = ({ status }: Row): boolean => status === 'pending' || status === 'running'

/** What the content of its page says beside it. */
export const whileOpen = (data: Row): { readonly againAfter?: number } => (isOpen(data) ? { againAfter: AGAIN_AFTER } : {})

export function JobState({ data, viewer }: Pick<Seen, 'viewer'> & { readonly data: Row }) {
  const error = text(record(data.error).message)
  return (
    <>
      <p>
        <Tag value={text(data.status)} viewer={viewer} />{' '}
        {isOpen(data) && <progress max={100} value={number(data.progress)} aria-label={fieldWords('progress', viewer)} />}
      </p>
      {error !== '' && <p class="error">{told(viewer, error)}</p>}
    </>
  )
}

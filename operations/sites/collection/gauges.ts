import type { Gauges } from '../../../runtime/table/gauges.ts'
import { collector } from './collector.ts'

/** Requests with hits that wait on the disk of this process for the database. */
export const hits_spool: Gauges = async ({ use, now }) => {
  const { requests, bytes, since } = use(collector).spool.state()
  const gauge = (name: string, help: string, value: number) => ({ name, help, values: [{ labels: {}, value }] })
  return [
    gauge('hits_spool_requests', 'Requests with hits that wait on the disk for the database.', requests),
    gauge('hits_spool_bytes', 'Size of their files.', bytes),
    gauge('hits_spool_age_seconds', 'How long the oldest of them waits.', since === null ? 0 : Math.max(0, now() - since) / 1000),
  ]
}

/** Hits that wait for the database: whether there is room for more, so that the process takes hits without it. */
import { check } from '../../../runtime/table/check.ts'
import { collector } from './collector.ts'

export const hits_spool = check({
  what: 'the folder of waiting hits (HITS_SPOOL)',
  start: ({ use }) => use(collector).spool.start(),
  startWithoutDatabase: ({ use }) => use(collector).spool.startWithoutDatabase(),
  async now({ use }) {
    const { spool } = use(collector)
    const { requests } = spool.state()
    if (!spool.isHolding()) return undefined
    return { reason: `${requests} requests with hits wait on the disk for the database`, isUnready: false }
  },
  outlastsDatabase: ({ use }) => use(collector).spool.outlastsDatabase(),
})

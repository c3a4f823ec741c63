import { event } from '../../../runtime/events/event.ts'
import { VisitErasure } from './records.ts'

export const visits_erased = event({
  type: 'visits.erased',
  summary: 'Visits of the past were erased.',
  data: VisitErasure,
})

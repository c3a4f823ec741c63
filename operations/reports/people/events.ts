import { event } from '../../../runtime/events/event.ts'
import { PersonDeletion } from './records.ts'

export const person_deleted = event({
  type: 'person.deleted',
  summary: 'A person was deleted. Their visits are deleted in the background.',
  data: PersonDeletion,
})

import { Type } from '@sinclair/typebox'
import { event } from '../../../runtime/events/event.ts'
import { record } from '../../../runtime/table/schema.ts'

export const import_completed = event({
  type: 'import.completed',
  summary: 'An import ended, and reports include its data.',
  data: record(
    'ImportCompletedEvent',
    {
      import_id: Type.String({ description: 'Id of the import.' }),
      rows: Type.Integer({ description: 'Imported rows.' }),
    },
    'A successful import.',
  ),
})

export const import_failed = event({
  type: 'import.failed',
  summary: 'An import ended without importing anything.',
  data: record(
    'ImportFailedEvent',
    {
      import_id: Type.String({ description: 'Id of the import.' }),
      error: Type.String({ description: 'Reason of the failure.' }),
    },
    'A failed import.',
  ),
})

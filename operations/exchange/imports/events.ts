import { Type } from '@sinclair/typebox'
import { event } from '../../../runtime/events/event.ts'
import { record } from '../../../runtime/table/schema.ts'

export const import_completed = event({
  type: 'import.completed',
  summary: 'An import ended, and reports include its data.',
  data: record(
    'ImportCompletedEvent',
    {
      import_id: Type.String({ description: 'The import.' }),
      rows: Type.Integer({ description: 'Rows that were taken over.' }),
    },
    'An import that went well.',
  ),
})

export const import_failed = event({
  type: 'import.failed',
  summary: 'An import ended without importing anything.',
  data: record(
    'ImportFailedEvent',
    {
      import_id: Type.String({ description: 'The import.' }),
      error: Type.String({ description: 'What was wrong.' }),
    },
    'An import that failed.',
  ),
})

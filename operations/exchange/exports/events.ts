import { Type } from '@sinclair/typebox'
import { event } from '../../../runtime/events/event.ts'
import { DateTime, record } from '../../../runtime/table/schema.ts'

export const export_ready = event({
  type: 'export.ready',
  summary: 'The file of an export is ready.',
  data: record(
    'ExportReadyEvent',
    {
      export_id: Type.String({ description: 'The export.' }),
      expires_at: DateTime({ description: 'Until when its file can be fetched.' }),
    },
    'An export whose file can be fetched.',
  ),
})

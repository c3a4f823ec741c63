import { Type } from '@sinclair/typebox'
import { event } from '../../../runtime/events/event.ts'
import { DateTime, record } from '../../../runtime/table/schema.ts'

export const export_ready = event({
  type: 'export.ready',
  summary: 'The file of an export is ready.',
  data: record(
    'ExportReadyEvent',
    {
      export_id: Type.String({ description: 'Id of the export.' }),
      expires_at: DateTime({ description: 'Time until which its file can be downloaded.' }),
    },
    'An export whose file can be downloaded.',
  ),
})

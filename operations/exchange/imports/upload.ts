/** The upload URL of an import and the received bytes, to begin or resume an upload. */
import { m } from './messages.ts'
import { valueTerm } from '../../../runtime/texts/message.ts'
import { fail } from '../../../runtime/table/errors.ts'
import { operation } from '../../../runtime/table/operation.ts'
import { iso } from '../../../runtime/table/schema.ts'
import { secretBox } from '../../../runtime/settings/secret-box.ts'
import { site } from '../../sites/sites/records.ts'
import { files, signedLink } from '../files/index.ts'
import { imported, ImportUpload } from './records.ts'
import { uploadPath } from './upload-path.ts'
import { UPLOAD_MS } from './task-name.ts'

export const imports_upload_get = operation({
  route: 'GET /sites/{site_id}/imports/{id}/upload',
  summary: 'Get the upload link of an import, and the received bytes of its file',
  title: 'Upload',
  description: 'Works until the import is started, for example after a broken connection or if you lost the link.',
  access: 'sites.manage',
  on: [site, imported],
  effect: 'read',
  secrets: ['upload_url'],
  input: {},
  output: ImportUpload,
  examples: [{ input: { site_id: '{{site}}', id: '{{import}}' } }],
  async run({ import: row, db, use, config }) {
    if (row.status !== 'awaiting_upload') fail('invalid_state', m.is_already({ state: valueTerm(row.status) }))
    const until = row.created_at + UPLOAD_MS
    return {
      upload_url: await signedLink({ box: use(secretBox), db, config }, { method: 'PUT', path: uploadPath(row.id), until }),
      received: (await use(files).sizeOf(row.id)) ?? 0,
      total: row.bytes,
      expires_at: iso(until),
    }
  },
})

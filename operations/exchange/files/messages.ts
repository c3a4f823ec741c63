/** What this area says to people. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('files', {
  not_the_range: '{code}: the answer is not the range that was asked for',
  no_list: '{code}: the answer is no list of objects',
  no_upload: '{code}: the answer has no id of an upload',
  access_denied: '{code}: the keys lack a permission: s3:PutObject, s3:ListBucket and s3:DeleteObject are needed ({status})',
  no_access_key: '{code}: there is no such access key ({status})',
  wrong_secret: '{code}: the secret key is not the one of the access key ({status})',
  no_bucket: '{code}: there is no such bucket ({status})',
  other_region: '{code}: the bucket is in another region ({status})',
  wrong_checksum: '{code}: what arrived is not what was sent: its checksum is another ({status})',
  wrong_clock: '{code}: the clocks here and there differ by more than 15 minutes ({status})',
  too_many_requests: '{code}: the server asks for fewer requests ({status})',
  server_fault: '{code}: the server has a fault ({status})',
  refused: '{code}: the server refused the request ({status})',
})

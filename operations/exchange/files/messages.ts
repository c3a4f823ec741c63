/** Messages of files: errors of the bucket. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('files', {
  not_the_range: '{code}: the response is not the requested range',
  no_list: '{code}: the response is not a list of objects',
  no_upload: '{code}: the response has no upload id',
  access_denied: '{code}: the keys lack a permission: s3:PutObject, s3:ListBucket and s3:DeleteObject are needed ({status})',
  no_access_key: '{code}: there is no such access key ({status})',
  wrong_secret: '{code}: the secret key does not belong to the access key ({status})',
  no_bucket: '{code}: there is no such bucket ({status})',
  other_region: '{code}: the bucket is in another region ({status})',
  wrong_checksum: '{code}: the received data differs from the sent data: the checksums differ ({status})',
  wrong_clock: '{code}: the clocks of Footfall and the server differ by more than 15 minutes ({status})',
  too_many_requests: '{code}: the server asks for fewer requests ({status})',
  server_fault: '{code}: the server has a fault ({status})',
  refused: '{code}: the server refused the request ({status})',
})

/** For docs/errors.md: how to end each error. The type says that no code lacks one. */
import type { DetailCode, ErrorCode } from '../../runtime/table/errors.ts'

export const remedies: Readonly<Record<ErrorCode, string>> = {
  bad_request: 'Send HTTP/1.1 with valid headers and a valid path. A proxy in between may have cut the request.',
  authentication_required: 'Send a token in the `Authorization` header. `npm run token` makes one, as does *API tokens* in the browser.',
  invalid_token: 'Check that the token is complete and of this installation. Tokens begin with `pat_`.',
  sign_in_failed:
    'Type the address and the password again, or set a new password by mail. The operator can make a link: `npm run sign-in-link`.',
  password_required: 'Ask the person who shared the link for its password. Programs exchange it for a token (docs/sharing.md).',
  token_expired: 'Make a new token, or one without an end.',
  token_revoked: 'Make a new token. The audit log says who revoked the old one.',
  account_deactivated: 'Ask an admin of the workspace to reactivate the member, or use a token of another member.',
  reauthentication_required: 'Sign in again. In the browser, the page asks for it and continues afterwards.',
  ip_not_allowed: 'Call from an address in the token’s `allowed_ips`, or change the list. Behind a proxy, check `TRUSTED_PROXIES`.',
  permission_denied: 'The message names the permission. Use a token that has it, or ask an admin for a role with it.',
  not_found: 'Check the id and the workspace. Records of other workspaces and records that do not exist get the same answer.',
  method_not_allowed: 'Use a method of the `Allow` header.',
  request_timeout: 'Send the body faster, or in smaller parts.',
  idempotency_in_progress: 'Wait for the seconds in `Retry-After`, then repeat the request with the same key.',
  edit_conflict: 'The page shows both values. Choose one and save again.',
  precondition_failed: 'Read the record again and repeat the change with its new `ETag`.',
  payload_too_large:
    'Send less at once. Files are uploaded in parts. A 413 without this JSON comes from a proxy: raise its limit (docs/install.md).',
  unsupported_media_type: 'Send JSON with `Content-Type: application/json`; the `Accept` header of the answer lists other types.',
  expectation_failed: 'Leave out the `Expect` header.',
  invalid_json: 'Send one JSON object. The message says where parsing stopped.',
  validation_failed: 'Correct every field in `details`; the codes are below.',
  invalid_state: 'The message says which state the record is in. Bring it into another one first, for example by `…_resume`.',
  already_exists: 'Use the existing record, or choose another name.',
  confirmation_mismatch: 'Send exactly the name that the message shows as `confirm`.',
  limit_reached: 'Delete what is not needed, or ask the operator for a higher limit (docs/limits.md).',
  idempotency_key_reused: 'Use a new key for a new request.',
  rate_limited: 'Wait for the seconds in `Retry-After`. The limits are in docs/limits.md.',
  headers_too_large: 'Send a shorter address or fewer cookies.',
  internal_error: 'Repeat the request. If it fails again, report the time and the request id (`X-Request-Id`): the log has the cause.',
  unavailable: 'Repeat after the seconds in `Retry-After`. `/readyz` says what is missing, for example the database.',
}

export const detailRemedies: Readonly<Record<DetailCode, string>> = {
  required: 'Send the field.',
  unknown_field: 'Remove the field, or correct its name; the message proposes one that is similar.',
  invalid_type: 'Send a value of the type in the message.',
  invalid_format: 'Send the format in the message, for example an ISO 8601 time.',
  not_in_enum: 'Send one of the listed values.',
  too_small: 'Send a larger number.',
  too_large: 'Send a smaller number.',
  too_short: 'Send more characters or more items.',
  too_long: 'Send fewer characters.',
  too_many_items: 'Send fewer items, or several requests.',
  not_found: 'The record with this id does not exist, or this caller may not see it. Take an id of the list.',
  mismatch: 'Two fields contradict each other. Change one of them.',
  permission_required: 'The caller lacks this permission.',
}

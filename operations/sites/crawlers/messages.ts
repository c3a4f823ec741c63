/** What this area says to people. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('crawlers', {
  log_lines_read: 'Log lines read.',
  some_log_lines_could_not_be: 'Some log lines could not be read.',
  required_with_format: '{field} is required with the format {format}.',
  not_with_format: '{field} does not go with the format {format}.',
  no_log_line_was_of_a: 'No log line was of a crawler.',
  none_of_the_log_lines_could: 'None of the log lines could be read.',
})

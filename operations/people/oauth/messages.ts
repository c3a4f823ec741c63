/** What this area says to people. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('oauth', {
  it_calls_itself_client_nobody_has: 'It calls itself “{client}”. Nobody has checked that.',
  it_says_that_it_is_from: 'It says that it is from {host}: any program on this computer can say so.',
  it_is_from_host: 'It is from {host}.',
  your_answer_goes_to_program_allow: 'Your answer goes to {program}. Allow this only if you have just started that program.',
  a_program_on_this_computer: 'a program on this computer',
  your_answer_goes_to_host: 'Your answer goes to {host}.',
  it_gets_into_the_workspace_name: 'It gets into the workspace {name}.',
  choose_name_instead: 'Choose {name} instead',
  your_role_in_this_workspace_role: 'Your role in this workspace, {role}, allows nothing of what it asks for.',
  it_stays_connected_for_a_year:
    'It stays connected for a year at most, until you disconnect it, or until it has not been used for 30 days. It can never do more than your role allows.',
  allow: 'Allow',
  deny: 'Deny',
  what_it_may_do: 'What it may do',
  for_which_sites: 'For which sites',
  all_later_ones_too: 'All, later ones too',
  only_these: 'Only these:',
  the_first_count_are_shown: 'The first {count} are shown.',
  with_only_some_sites_it_gets: 'With only some sites, it gets nothing that concerns the whole workspace.',
  connect_client: 'Connect {client}',
  connect_client_2: 'Connect {client}?',
  client_asked_for_something_that_there: '{client} asked for something that there is not here: {what}',
  there_is_no_workspace_that_you:
    'There is no workspace that you could let {client} into: you are a member of none, or it asks for more than your sign-in has shown.',
  this_cannot_be_connected: 'This cannot be connected',
  back_to_host: 'Back to {host}',
  to_your_sites: 'To your sites',
})

/** Colours of the account: in the menu of the person, and as actions of the search. */
import { m } from './messages.ts'

export const themes = [
  { value: 'system', label: m.theme_system, action: m.system_mode },
  { value: 'light', label: m.theme_light, action: m.light_mode },
  { value: 'dark', label: m.theme_dark, action: m.dark_mode },
] as const

/** Completion for shells: each calls `footfall __complete` for the words that may come next. */
import { isSwitch } from './arguments.ts'
import { choicesOf, type Command, commandIn } from './commands.ts'
import { common, plainWords } from './common-flags.ts'

export const completionScripts: Readonly<Record<string, string>> = {
  bash: `_footfall() {
  local IFS=$'\\n'
  COMPREPLY=($(footfall __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _footfall footfall
`,
  // In a folder of $fpath the file is the body of the function; elsewhere it is sourced for its definition.
  zsh: `#compdef footfall
_footfall() {
  local -a found
  found=(\${(f)"$(footfall __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( $#found )); then compadd -a found; else _files; fi
}
if [[ $funcstack[1] == _footfall ]]; then _footfall "$@"; else compdef _footfall footfall; fi
`,
  fish: `complete -c footfall -f -a '(footfall __complete (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
complete -c footfall -n '__fish_seen_subcommand_from backup restore import crawlers' -F
`,
}

export const completionHelp = `Usage: footfall completion ${Object.keys(completionScripts).join('|')}

Prints the script that lets a shell complete commands, flags and values.

Examples:
  eval "$(footfall completion bash)"            # in ~/.bashrc
  footfall completion zsh > ~/.zfunc/_footfall  # a folder of $fpath
  footfall completion fish > ~/.config/fish/completions/footfall.fish
`

/** Commands other than operations, with the words that may follow them. */
export type Others = Readonly<Record<string, readonly string[]>>

/** @param words after `footfall`; the last one is being typed, and may be empty */
export function completionsOf(commands: readonly Command[], words: readonly string[], others: Others = {}): string[] {
  const typed = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  return [...new Set(following(commands, before, others))].filter(each => each.startsWith(typed)).sort()
}

function following(commands: readonly Command[], before: readonly string[], others: Others): string[] {
  const found = commandIn(commands, before)
  if (!found) {
    const plain = plainWords(before).map(at => before[at] ?? '')
    const [only = '', ...more] = plain
    if (more.length === 0 && Object.hasOwn(others, only)) return [...(others[only] ?? [])]
    const next = commands.map(({ name }) => name.split(' ')).filter(parts => plain.every((word, i) => parts[i] === word))
    return [...next.flatMap(parts => parts[plain.length] ?? []), ...(plain.length === 0 ? Object.keys(others) : [])]
  }
  const { fields } = found.command
  const last = before.at(-1) ?? ''
  const field = last.startsWith('--') ? fields.find(({ flag }) => last === `--${flag}`) : undefined
  if (field && !isSwitch(field)) return choicesOf(field.schema)
  const filter = fields.some(({ name }) => name === 'filters') ? ['--filter'] : []
  const given = new Set(before)
  const flags = [...fields.map(({ flag }) => `--${flag}`), ...Object.keys(common).map(flag => `--${flag}`)]
  return [...flags.filter(flag => !given.has(flag)), ...filter]
}

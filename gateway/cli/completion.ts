/**
 * `tessera completion SHELL`: a script that completes commands and options. It is made from the commands
 * themselves.
 */
import { type Command, exitCodes, UsageError } from './command.ts'

const shells = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof shells)[number]
type Options = ReadonlyMap<string, readonly string[]>

const isShell = (name: string | undefined): name is Shell => shells.some((shell) => shell === name)

/** Completes the options of a command from the second word on, and files if the word is no option. */
function bash(options: Options): string {
  const cases = [...options].map(([name, flags]) => `    ${name}) words="${flags.join(' ')}" ;;`)
  return `_tessera() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${[...options.keys(), 'help'].join(' ')} --config --help --version" -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;
    *) COMPREPLY=($(compgen -f -- "$word")) ;;
  esac
}
complete -o filenames -F _tessera tessera
`
}

const zsh = (options: Options): string => `#compdef tessera
autoload -U +X bashcompinit && bashcompinit
${bash(options)}`

function fish(options: Options): string {
  const lines = [...options].flatMap(([name, flags]) => [
    `complete -c tessera -n __fish_use_subcommand -f -a ${name}`,
    ...flags.map(
      (flag) => `complete -c tessera -n "__fish_seen_subcommand_from ${name}" -l ${flag.slice(2)}`,
    ),
  ])
  return `${lines.join('\n')}\n`
}

const scripts: Readonly<Record<Shell, (options: Options) => string>> = { bash, zsh, fish }

export const completionCommand = (optionsOf: () => Promise<Options>): Command => ({
  synopsis: shells.join('|'),
  operands: 1,
  options: {},
  example: 'source <(tessera completion bash)',

  async run(args, io) {
    const [shell] = args.positionals
    if (!isShell(shell)) throw new UsageError(`name one of ${shells.join(', ')}`)
    io.out(scripts[shell](await optionsOf()))
    return exitCodes.done
  },
})

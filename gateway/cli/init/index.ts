/** `tessera init`: the first files of a new gateway. */
import { type Command, exitCodes } from '../command.ts'
import { writeFiles } from '../written-files.ts'
import { initialFiles } from './files.ts'

export const initCommand: Command = {
  name: 'init',
  synopsis: '[FOLDER]',
  operands: 1,
  options: {},
  example: 'tessera init my-graph',

  async run(args, io) {
    const [folder = '.'] = args.positionals
    writeFiles(folder, initialFiles)
    for (const path of Object.keys(initialFiles)) io.out(`${path}\n`)
    io.out(
      `\nIt serves the sandbox until tessera.yaml names a service. Next steps:\n${folder === '.' ? '' : `  cd ${folder}\n`}  npx tessera check --config tessera.yaml\n  npx tessera serve --config tessera.yaml\n`,
    )
    return exitCodes.done
  },
}

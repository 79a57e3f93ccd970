/** `tessera persist`: the manifest of trusted operations, from a folder of documents. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  print,
  Source,
  validate,
  visit,
} from 'graphql'
import { documentFilesIn } from '../../shared/graphql/document-files.ts'
import { operationRules } from '../../shared/graphql/operation-rules.ts'
import { parseText } from '../../shared/graphql/parse-text.ts'
import { hashOf } from '../../shared/graphql/persisted-operation.ts'
import { fileFault } from '../../shared/runtime/bounded-file.ts'
import { counted } from '../../shared/runtime/counted.ts'
import { type Command, CommandError, exitCodes, orFail, UsageError } from './command.ts'
import { placeIn, readText, supergraphIn, syntaxFault, writeOut } from './files.ts'

interface ManifestEntry {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly body: string
}

/** Every operation of the files, each with the fragments that it uses, or all faults. */
function manifestFrom(
  schema: GraphQLSchema,
  files: readonly { readonly path: string; readonly text: string }[],
): { entries: ManifestEntry[]; faults: string[] } {
  const operations: { path: string; node: OperationDefinitionNode }[] = []
  const fragments = new Map<string, FragmentDefinitionNode>()
  const faults: string[] = []
  for (const { path, text } of files) {
    let document: DocumentNode
    try {
      document = parseText(new Source(text, path))
    } catch (error) {
      faults.push(syntaxFault(path, error))
      continue
    }
    for (const node of document.definitions) {
      if (node.kind === Kind.OPERATION_DEFINITION) operations.push({ path, node })
      else if (node.kind === Kind.FRAGMENT_DEFINITION) {
        if (fragments.has(node.name.value))
          faults.push(`${path}: there are two fragments named ${node.name.value}`)
        fragments.set(node.name.value, node)
      }
    }
  }
  const entries: ManifestEntry[] = []
  const names = new Set<string>()
  for (const { path, node } of operations) {
    const name = node.name?.value
    if (name === undefined) {
      faults.push(`${path}: an operation has no name; expected one for each`)
      continue
    }
    if (names.has(name)) faults.push(`${path}: there are two operations named ${name}`)
    names.add(name)
    const used = new Map<string, FragmentDefinitionNode>()
    const collect = (definition: OperationDefinitionNode | FragmentDefinitionNode): void => {
      visit(definition, {
        FragmentSpread({ name: { value } }) {
          const fragment = fragments.get(value)
          if (fragment === undefined || used.has(value)) return
          used.set(value, fragment)
          collect(fragment)
        },
      })
    }
    collect(node)
    const document: DocumentNode = { kind: Kind.DOCUMENT, definitions: [node, ...used.values()] }
    for (const error of validate(schema, document, operationRules))
      faults.push(`${placeIn(error.source?.name ?? path, error)}: ${name}: ${error.message}`)
    const body = print(document)
    entries.push({ id: hashOf(body), name, type: node.operation, body })
  }
  return { entries, faults }
}

export const persistCommand: Command = {
  synopsis: 'FOLDER [--supergraph FILE] [--out FILE]',
  operands: 1,
  options: {
    supergraph: { value: 'FILE', help: 'the graph of the operations; our own by default' },
    out: { value: 'FILE', help: 'the output; the terminal by default' },
  },
  example: 'tessera persist src/operations --out persisted.json',

  async run(args, io) {
    const [folder] = args.positionals
    if (folder === undefined) throw new UsageError('name the folder of .graphql files')
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
      throw new CommandError(`${folder} is no folder`)
    const paths = orFail(
      () => documentFilesIn(folder).map((path) => join(folder, path)),
      (error) => `${folder} cannot be read: ${fileFault(error)}`,
    )
    const { entries, faults } = manifestFrom(
      supergraphIn(args.string('supergraph')).apiSchema,
      paths.map((path) => ({ path, text: readText(path) })),
    )
    if (faults.length > 0) {
      for (const fault of faults) io.err(`tessera persist: ${fault}\n`)
      return exitCodes.failed
    }
    if (entries.length === 0) throw new CommandError(`there is no operation in ${folder}`)
    const text = `${JSON.stringify({ format: 'tessera-persisted-operations', version: 1, operations: entries }, null, 2)}\n`
    writeOut(text, args, io)
    if (args.string('out') !== undefined) io.err(`${counted(entries.length, 'operation')}\n`)
    return exitCodes.done
  },
}

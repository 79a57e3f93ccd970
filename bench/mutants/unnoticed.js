/** A reporter for Stryker that prints each mutant that no test noticed as soon as that is known. */
import { relative } from 'node:path'
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin'

const reporter = {
  onMutantTested({ fileName, location, mutatorName, replacement, status }) {
    if (status !== 'Survived' && status !== 'NoCoverage') return
    const { start, end } = location
    const to = end.line === start.line ? `-${end.column}` : ` to line ${end.line}`
    const made = replacement.replace(/\s+/g, ' ').slice(0, 100)
    const why = status === 'NoCoverage' ? ', which no test runs' : ''
    console.log(`${relative('.', fileName)}:${start.line}:${start.column}${to} ${mutatorName}: ${made}${why}`)
  },
}

export const strykerPlugins = [declareValuePlugin(PluginKind.Reporter, 'unnoticed', reporter)]

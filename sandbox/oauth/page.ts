/** The page on which a person of the sandbox signs in: a choice of names, without a password. */
export const people = ['ada', 'grace', 'alan'] as const

/** Ways of signing in, the weakest first. */
export const signInWays = ['urn:tessera:sandbox:password', 'urn:tessera:sandbox:two-factors'] as const

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** `way` is the way that the application wants. */
export function signInPage(uid: string, application: string, way: string): string {
  const buttons = people
    .map((name) => `<button name="person" value="${name}">Sign in as ${name}</button>`)
    .join('\n')
  return `<!doctype html>
<html lang="en">
<title>Sign in · Tessera sandbox</title>
<meta name="viewport" content="width=device-width">
<style>body{font:16px system-ui;max-width:24rem;margin:4rem auto}button{display:block;width:100%;margin:.5rem 0;padding:.75rem;font:inherit}</style>
<h1>Tessera sandbox</h1>
<p>${escaped(application)} asks who you are (${escaped(way)}). This is for development: there is no password.</p>
<form method="post" action="/interaction/${escaped(uid)}">
${buttons}
</form>
`
}

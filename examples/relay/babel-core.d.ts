/** The one function of Babel that is used here; the package brings no types of its own. */
declare module '@babel/core' {
  export function transformAsync(
    code: string,
    options: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly code?: string | null; readonly map?: string | null } | null>
}

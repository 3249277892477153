/** A JSON schema as a function; see vitest.config.ts. */
declare module '*.json?validator' {
  interface Validator {
    (value: unknown): boolean
    readonly errors?: readonly object[] | null
  }
  const validate: Validator
  export default validate
}

import type { TestProject } from 'vitest/node'
import { startInstance } from '../../../e2e/support/instance'

declare module 'vitest' {
  interface ProvidedContext {
    /** The process whose descendants serve the instance. */
    serverProcess: number
  }
}

/** Starts the instance under attack; the returned function stops it. */
export default async function openInstance(project: TestProject): Promise<() => Promise<void>> {
  const instance = await startInstance({ title: 'Under attack' })
  project.provide('origin', instance.origin)
  project.provide('setupToken', instance.setupToken)
  project.provide('serverProcess', instance.processId)
  return instance.close
}

import { builtinEnvironments, type Environment } from 'vitest/runtime'

const { node } = builtinEnvironments

/** Node, and at the end of the process the end of the instances that its files shared. */
export const environment: Environment = {
  ...node,
  name: 'federation',
  async setup(global, options) {
    const { teardown } = await node.setup(global, options)
    return {
      async teardown(context) {
        await globalThis.closeSharedWorld?.()
        await teardown(context)
      },
    }
  },
}

// Vitest loads environments by their default export.
export default environment

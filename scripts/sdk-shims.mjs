// Replaces a part of the MCP SDK in the bundle. The SDK brings a validator of JSON schemas, a third of the code that a server loads at its
// start, and uses it only for forms that a server shows to people. Pith shows none and checks arguments itself.
import process from "node:process";

export class DefaultJsonSchemaValidator {
  getValidator() {
    throw new Error("This build has no validator of JSON schemas");
  }
}

export { process };

import type { DataSource, EntitySubscriberInterface, InsertEvent, UpdateEvent } from 'typeorm';
import { open, sealedColumnsOf } from './sealed-columns';
import { markUnopened } from './unopened';
import { UnopenedSecret, Vault } from './vault';

/**
 * Opens whatever the ORM loads, and lets it store no secret: its own `save` would write plain text. Secrets are written by
 * `insertRows` and `updateRow`, which seal them.
 */
class SealedEntities implements EntitySubscriberInterface<object> {
  constructor(
    readonly vault: Vault,
    private readonly dataSource: DataSource,
  ) {}

  /** What does not open is marked, and throws where it is used. */
  afterLoad(entity: object): void {
    for (const column of sealedColumnsOf(this.dataSource.getMetadata(entity.constructor).tableName)) {
      const id: unknown = Reflect.get(entity, 'id');
      if (typeof id !== 'string') throw new Error(`A row of ${column.table} was loaded without its id.`);
      try {
        Reflect.set(entity, column.property, open(this.vault, column, id, Reflect.get(entity, column.property)));
      } catch (error) {
        if (!(error instanceof UnopenedSecret)) throw error;
        markUnopened(entity, column.property, error);
      }
    }
  }

  beforeInsert({ metadata }: InsertEvent<object>): void {
    if (sealedColumnsOf(metadata.tableName).length > 0) throw new Error(WRITTEN_OTHERWISE);
  }

  beforeUpdate({ metadata, entity, updatedColumns }: UpdateEvent<object>): void {
    const changed = new Set([
      ...updatedColumns.map(({ propertyName }) => propertyName),
      // A statement without an entity lists what it sets here.
      ...(updatedColumns.length === 0 ? Object.keys(entity ?? {}) : []),
    ]);
    if (sealedColumnsOf(metadata.tableName).some(({ property }) => changed.has(property))) {
      throw new Error(WRITTEN_OTHERWISE);
    }
  }
}

const WRITTEN_OTHERWISE = 'A row with secrets is written by insertRows and updateRow, which seal them.';

/** From here on the data source opens with this vault what it loads, and refuses to store secrets in plain text. */
export function sealWith(dataSource: DataSource, vault: Vault): void {
  dataSource.subscribers.push(new SealedEntities(vault, dataSource));
}

/** The vault of a data source; of one that was given none, a vault that leaves everything as it is. */
export function vaultOf({ subscribers }: DataSource): Vault {
  return subscribers.find((subscriber) => subscriber instanceof SealedEntities)?.vault ?? Vault.of([]);
}

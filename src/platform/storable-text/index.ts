/**
 * Text and JSON as PostgreSQL can store them: model output and agents’ replies may hold what a column cannot. It stands apart
 * from the database so that worker threads load no ORM.
 */

export { storableText, toStorableJson } from './storable-text';

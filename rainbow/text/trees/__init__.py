"""Parse trees and measures of syntactic complexity."""

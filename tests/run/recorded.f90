! SPDX-License-Identifier: BSD-3-Clause
! recorded.f90 - calls of the module mpi, and of mpi_f08 (record.bats).
program recorded
    use mpi
    implicit none
    integer :: code, x(4)
    call MPI_Init(code)
    x = 1
    call MPI_Allreduce(MPI_IN_PLACE, x, 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, code)
    call MPI_Bcast(x, 2, MPI_INTEGER, 0, MPI_COMM_WORLD, code)
    call by_f08()
    call MPI_Finalize(code)
contains
    subroutine by_f08()
        use mpi_f08, only: MPI_Barrier, MPI_Reduce, MPI_COMM_WORLD, MPI_INTEGER, MPI_SUM
        integer :: y(4)
        y = 2
        call MPI_Reduce(y, x, 3, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD)
        call MPI_Barrier(MPI_COMM_WORLD)
    end subroutine
end program
